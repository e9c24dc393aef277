// What counts as the address of a Messages API server. No 'vscode' import, so it is tested without a host.

type ParsedUrl =
  { readonly ok: true; readonly url: string } | { readonly ok: false; readonly fault: UrlFault };
export type UrlFault = 'notAnAddress' | 'notHttp' | 'holdsPassword' | 'holdsQuery';

/** The address without a slash at the end, or what is wrong with it. `http` is allowed, for servers at home. */
export function parseBaseUrl(text: string): ParsedUrl {
  const url = URL.parse(text.trim());
  if (!url) return { ok: false, fault: 'notAnAddress' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, fault: 'notHttp' };
  // It would end up in logs, and fetch refuses it anyway.
  if (url.username !== '' || url.password !== '') return { ok: false, fault: 'holdsPassword' };
  // Paths are appended to the address, so they would land in the query.
  if (url.search !== '' || url.hash !== '') return { ok: false, fault: 'holdsQuery' };
  return { ok: true, url: url.href.replace(/\/+$/, '') };
}
