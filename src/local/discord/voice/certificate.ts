// The certificate of the local voice gateway: made at start, for loopback alone, never written to disk.
import { randomUUID } from 'node:crypto';
import tls from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

/** A self-signed certificate for 127.0.0.1 and localhost that may stand as its own authority. */
export async function createCertificate(): Promise<Certificate> {
  // A name of its own: OpenSSL looks authorities up by name, and a second server's certificate must not be taken for this one.
  const made = await generate([{ name: 'commonName', value: `Local Discord ${randomUUID()}` }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 7, ip: '127.0.0.1' },
          { type: 2, value: 'localhost' },
        ],
      },
    ],
  });
  return { cert: made.cert, key: made.private };
}

/**
 * Makes every TLS client of this process trust the certificate, beside those that it trusted before; gives back what takes it away again.
 * Contexts made before the call keep what they had.
 */
export function trustCertificate(pem: string): () => void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  return () => tls.setDefaultCACertificates(tls.getCACertificates('default').filter((known) => known.trim() !== pem.trim()));
}
