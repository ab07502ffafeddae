// Computes the SHA-256 of a text or of bytes.

/** SHA-256 in hexadecimal digits; a text as UTF-8. What computes it is loaded on demand: that takes a hook 10 ms. */
export const hashSha256 = (data: string | Buffer): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest('hex');
