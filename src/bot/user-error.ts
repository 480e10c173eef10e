// An error that is shown to the member as written: the cause, then the next step.

export class UserError extends Error {
  override name = 'UserError';
}
