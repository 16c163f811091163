/** Ends this process in order when the one that started it with a channel is gone. */
export function endWithParent(): void {
  if (process.channel !== undefined) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
