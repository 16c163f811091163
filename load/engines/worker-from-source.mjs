// Starts worker.ts where the code is not built: a thread has no loader for TypeScript of its own.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
