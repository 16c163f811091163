/** The words of a text, between white space: a long list of texts that contain none. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);
