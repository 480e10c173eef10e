// The image of deploy/Dockerfile.
import { test } from 'vitest';
import { image, titled } from '../helpers/requirements.ts';
import { runToEnd } from '../helpers/run-to-end.ts';

test.skipIf(!image.isMet)(titled('can be built, asks for a token, speaks, and ends on SIGTERM', image), { timeout: 1_800_000 }, () =>
  runToEnd('deploy/check-image.sh'),
);
