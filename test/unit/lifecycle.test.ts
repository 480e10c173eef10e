// What a bot may do between its creation and its end, in whichever order a login ends and the bot is told to close.
import { expect, it } from 'vitest';
import { createLifecycle } from '../../src/bot/lifecycle.ts';
import { ConfigError } from '../../src/config.ts';

function openLifecycle() {
  const lost: string[] = [];
  return { lost, lifecycle: createLifecycle((reason) => lost.push(reason)) };
}

it('opens once it has logged in', async () => {
  const { lifecycle } = openLifecycle();
  const login = Promise.withResolvers<void>();
  const loggedIn = lifecycle.logIn(() => login.promise);
  expect(lifecycle).toMatchObject({ hasLoggedIn: false, isClosing: false });
  login.resolve();
  expect(await loggedIn).toBe(true);
  expect(lifecycle).toMatchObject({ hasLoggedIn: true, isClosing: false });
  expect(await lifecycle.opened).toBe(true);
});

it('never opens if it is closed while it logs in, but knows that it has logged in', async () => {
  const { lifecycle } = openLifecycle();
  const login = Promise.withResolvers<void>();
  const loggedIn = lifecycle.logIn(() => login.promise);
  lifecycle.close();
  expect(await lifecycle.opened).toBe(false);
  expect(lifecycle).toMatchObject({ hasLoggedIn: false, isClosing: true });
  login.resolve();
  expect(await loggedIn).toBe(false);
  expect(lifecycle).toMatchObject({ hasLoggedIn: true, isClosing: true });
});

it('never opens if it was closed before it logs in', async () => {
  const { lifecycle } = openLifecycle();
  lifecycle.close();
  expect(await lifecycle.logIn(() => Promise.resolve())).toBe(false);
  expect(await lifecycle.opened).toBe(false);
});

it('closes only once, with what it knew', async () => {
  const { lifecycle } = openLifecycle();
  await lifecycle.logIn(() => Promise.resolve());
  lifecycle.close();
  lifecycle.close();
  expect(lifecycle).toMatchObject({ hasLoggedIn: true, isClosing: true });
  expect(await lifecycle.opened).toBe(true);
});

it('fails the login with what fails it', async () => {
  const { lifecycle } = openLifecycle();
  await expect(lifecycle.logIn(() => Promise.reject(new Error('the token is wrong')))).rejects.toThrow('the token is wrong');
  expect(lifecycle.hasLoggedIn).toBe(false);
});

it('fails the login if the gateway is lost meanwhile, and tells its operator if it is lost later', async () => {
  const early = openLifecycle();
  const loggedIn = early.lifecycle.logIn(() => new Promise(() => {}));
  early.lifecycle.lose('an intent is refused');
  await expect(loggedIn).rejects.toEqual(new ConfigError('an intent is refused'));
  expect(early.lost).toEqual([]);

  const late = openLifecycle();
  await late.lifecycle.logIn(() => Promise.resolve());
  late.lifecycle.lose('the token was reset');
  expect(late.lost).toEqual(['the token was reset']);
});
