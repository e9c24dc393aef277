// Answers to what VS Code asks a person. A test host refuses modal dialogs, and nobody is there for the others.

import { afterEach } from 'mocha';
import * as vscode from 'vscode';

type Question =
  | 'showInformationMessage'
  | 'showWarningMessage'
  | 'showErrorMessage'
  | 'showQuickPick'
  | 'showInputBox'
  | 'showOpenDialog'
  | 'showSaveDialog'
  | 'setStatusBarMessage'
  | 'withProgress';

/** What was asked: the arguments of each call, in order. */
export type Asked = unknown[][];

/**
 * Registers a hook that undoes all stubs after each test of the surrounding suite, and returns the function that
 * sets one: `answer` gets the arguments of the question; its result is what the person chose.
 */
export function useWindowStubs(): (
  question: Question,
  answer?: (...args: readonly unknown[]) => unknown,
) => Asked {
  const restore: (() => void)[] = [];
  afterEach(() => {
    for (const undo of restore.splice(0)) undo();
  });
  return (question, answer) => {
    const asked: Asked = [];
    const original = vscode.window[question];
    const stub = (...args: unknown[]): Promise<unknown> => {
      asked.push(args);
      return Promise.resolve(answer?.(...args));
    };
    Object.defineProperty(vscode.window, question, { value: stub, configurable: true });
    restore.push(() => {
      Object.defineProperty(vscode.window, question, { value: original, configurable: true });
    });
    return asked;
  };
}

/** What the check of an input box said of a value; undefined when it was content. */
export function inputProblem(asked: Asked, value: string): string | undefined {
  const options = asked[0]?.[0] as vscode.InputBoxOptions | undefined;
  return options?.validateInput?.(value) as string | undefined;
}

/** Chooses the first item of a pick list that has these properties. */
export function pick(wanted: Readonly<Record<string, unknown>>): (items: unknown) => unknown {
  return (items) =>
    (items as readonly Record<string, unknown>[]).find((item) =>
      Object.entries(wanted).every(([key, value]) => item[key] === value),
    );
}
