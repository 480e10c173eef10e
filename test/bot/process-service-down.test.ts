// A voice service that goes down while the program runs: what operators see of it. Until it is probed again, ten seconds pass.
import { expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { answer, answerJson, type Behaviour, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';

it('a voice service that goes down shows in the log and the metrics, and so does its recovery', async () => {
  let behave: Behaviour = answer(503, '');
  const voice = await startMisbehavingService((request, response) => behave(request, response));
  const { start, member } = await openProgramFixture({ url: voice.url, key: 'key' });
  const port = await freePort();
  const program = await start({ HTTP_PORT: String(port), LOG_LEVEL: 'info' });
  const isDown = async () => /^parley_service_down (\d)/m.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1];
  // One after the other: those that come together may be answered by what the first of them finds out.
  for (let ask = 0; ask < 5; ask++) await (await member.run('voices')).sentence();
  await program.line(/the voice service is down: calls fail immediately/);
  expect(await isDown()).toBe('1');
  // Texts in the cache are still spoken.
  expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ discord: true, store: true, sound: true });
  behave = answerJson(200, { total: 0, items: [] });
  await program.line(/the voice service is back/);
  expect(await isDown()).toBe('0');
  program.child.kill('SIGINT');
  await program.ended;
  await voice.close();
});
