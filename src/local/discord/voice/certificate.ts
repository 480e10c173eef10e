// The voice gateway's self-signed certificate: created at start, for loopback only, never written to disk.
import { randomUUID } from 'node:crypto';
import tls from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

/** A certificate for 127.0.0.1 and localhost that is its own authority. */
export async function createCertificate(): Promise<Certificate> {
  // The name is unique, because OpenSSL looks up authorities by name: a second server's must not be mistaken for this one.
  const { cert, private: key } = await generate([{ name: 'commonName', value: `Local Discord ${randomUUID()}` }], {
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
  return { cert, key };
}

/**
 * Makes every TLS client of this process trust the certificate as well. Secure contexts created earlier are not affected.
 * @returns a function that undoes this
 */
export function trustCertificate(pem: string): () => void {
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), pem]);
  return () => tls.setDefaultCACertificates(tls.getCACertificates('default').filter((known) => known.trim() !== pem.trim()));
}
