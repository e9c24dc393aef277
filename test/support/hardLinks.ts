// A disk that gives no file a second name, as exFAT and some network folders.

import { promises as fs } from 'node:fs';

export async function withoutHardLinks<T>(work: () => Promise<T>): Promise<T> {
  const { link } = fs;
  fs.link = () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
  try {
    return await work();
  } finally {
    fs.link = link;
  }
}
