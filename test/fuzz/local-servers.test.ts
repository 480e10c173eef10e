// The servers on this machine cannot be reached from elsewhere, nor attacked from a foreign web page.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPrometheus } from '../../src/monitoring/prometheus.ts';
import { startMonitoringServer } from '../../src/monitoring/server.ts';
import { openLocalDiscord } from '../helpers/local-discord.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

describe('the local servers', () => {
  /** Whether a port is in use on an address of this machine other than 127.0.0.1, as it is if a program listens on all addresses. */
  async function isOpenElsewhere(port: number): Promise<boolean> {
    const server = createServer();
    const result = Promise.race([once(server, 'listening').then(() => 'free'), once(server, 'error').then(([error]) => error.code)]);
    server.listen(port, '127.0.0.2');
    const isTaken = (await result) === 'EADDRINUSE';
    server.close();
    return isTaken;
  }

  async function startAll() {
    const discord = await openLocalDiscord();
    const voiceService = await startTestVoiceService();
    const http = await startMonitoringServer({
      host: '127.0.0.1',
      port: 0,
      metrics: createPrometheus(),
      metricsToken: null,
      alive: () => true,
      ready: async () => ({}),
      log: pino({ level: 'silent' }),
    });
    onTestFinished(async () => {
      await Promise.all([voiceService.close(), http.close()]);
    });
    return { discord, http, voiceService };
  }

  it('listen only on the loopback address, and answer neither pages of other sites nor requests for another host name', async () => {
    const { discord, http, voiceService } = await startAll();
    const urls = [discord.url, `https://${discord.voice.endpoint}`, voiceService.url, http.url];
    for (const url of urls) {
      expect(new URL(url).hostname).toBe('127.0.0.1');
      expect([url, await isOpenElsewhere(Number(new URL(url).port))]).toEqual([url, false]);
    }
    const statusOf = async (url: string, headers: Record<string, string>) => {
      const request = httpRequest(url, { headers, agent: false }).end();
      const [response] = await once(request, 'response');
      response.resume();
      return response.statusCode;
    };
    const addresses = [
      discord.url,
      `${discord.apiUrl}/v10/gateway`,
      `${voiceService.url}/model`,
      `${http.url}/metrics`,
      `${http.url}/healthz`,
    ];
    for (const address of addresses) {
      for (const headers of [{ origin: 'https://elsewhere.example' }, { origin: 'null' }, { host: 'elsewhere.example' }] as Record<
        string,
        string
      >[])
        expect([address, await statusOf(address, headers)]).toEqual([address, 403]);
      expect(await statusOf(address, {})).not.toBe(403);
    }
  });
});
