let isOn = process.argv.includes('--debug');

export const isDebugging = (): boolean => isOn;

export function setDebugging(value: boolean): void {
  isOn = value;
}
