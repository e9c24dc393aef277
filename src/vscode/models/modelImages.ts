// Which models can be shown images, and images as VS Code passes them on. Both came after the oldest VS Code we run
// in, so they are known by their shape.

import * as vscode from 'vscode';
import { MODEL_VENDOR } from '../../manifest.ts';
import { isJsonObject, type ImageBlock } from '../../models/model.ts';

/** Ours are asked without VS Code, so it need not be able to pass images on. */
export function seesImages(chat: vscode.LanguageModelChat): boolean {
  const isPassed = chat.vendor === MODEL_VENDOR || dataPart() !== undefined;
  return isPassed && saidToSeeImages(chat) !== false;
}

/** Undefined where VS Code cannot pass images on. */
export function imagePart({ source }: ImageBlock): object | undefined {
  const part: unknown = dataPart()?.(Buffer.from(source.data, 'base64'), source.media_type);
  return typeof part === 'object' && part !== null ? part : undefined;
}

function saidToSeeImages(chat: vscode.LanguageModelChat): boolean | undefined {
  if (!('capabilities' in chat) || !isJsonObject(chat.capabilities)) return undefined;
  const said = chat.capabilities['supportsImageToText'];
  return typeof said === 'boolean' ? said : undefined;
}

function dataPart(): ((data: Uint8Array, mimeType: string) => unknown) | undefined {
  if (!('LanguageModelDataPart' in vscode)) return undefined;
  const { LanguageModelDataPart: DataPart }: { LanguageModelDataPart: unknown } = vscode;
  if (typeof DataPart !== 'function' || !('image' in DataPart)) return undefined;
  const { image } = DataPart;
  if (typeof image !== 'function') return undefined;
  return (data, mimeType): unknown => Reflect.apply(image, DataPart, [data, mimeType]);
}
