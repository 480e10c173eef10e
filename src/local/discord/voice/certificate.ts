// The voice gateways' self-signed certificate: created at the first start in a process, for loopback only, never written to disk.
import { randomUUID } from 'node:crypto';
import tls from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

let own: Promise<Certificate> | undefined;

/** The same for all voice servers of this process: a client that trusts one need not load all authorities again to trust the next. */
export function ownCertificate(): Promise<Certificate> {
  own ??= createCertificate();
  return own;
}

/** A certificate for 127.0.0.1 and localhost that is its own authority. */
export async function createCertificate(): Promise<Certificate> {
  // The name is unique, because OpenSSL looks up authorities by name: another one must not be mistaken for it.
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
  const others = () => tls.getCACertificates('default').filter((known) => known.trim() !== pem.trim());
  const trusted = tls.getCACertificates('default');
  if (others().length === trusted.length) tls.setDefaultCACertificates([...trusted, pem]);
  return () => tls.setDefaultCACertificates(others());
}
