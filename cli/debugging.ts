let isOn = process.argv.includes('--debug');

/** Whether errors are printed with their stack. */
export const isDebugging = (): boolean => isOn;

export function setDebugging(value: boolean): void {
  isOn = value;
}
