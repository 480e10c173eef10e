// Builds multipart forms byte by byte, so that they can be malformed.

export const BOUNDARY = 'a-boundary';

export interface Part {
  name: string;
  filename?: string;
  value: string | Uint8Array;
}

export function encodeForm(parts: Part[]): Buffer<ArrayBuffer> {
  const encoded = parts.flatMap(({ name, filename, value }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    return [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...encoded, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export function formOf(parts: Part[]): { headers: Record<string, string>; body: Buffer<ArrayBuffer> } {
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body: encodeForm(parts) };
}
