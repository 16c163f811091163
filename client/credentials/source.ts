/** Source of a token: the token itself, or how to obtain one repeatedly. Plain data. */
export type TokenSource = string | FileSource | CommandSource | OAuthSource;

/** A file that contains a token; it is read again when the token has expired. */
export interface FileSource {
  readonly file: string;
}

/** A command that prints a token: as text, or as JSON with its expiry (see {@link parseToken}). */
export interface CommandSource {
  /** A line for the shell, or a program and its arguments. */
  readonly command: string | readonly string[];
}

/** OAuth 2.0: client credentials, or with a user name the password grant. */
export interface OAuthSource {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** How the client authenticates: HTTP Basic, or in the body. Default: Basic, then in the body if Basic is refused. */
  readonly clientAuthentication?: 'basic' | 'post';
  readonly username?: string;
  readonly password?: string;
  readonly scope?: string;
  /** Further parameters of the request, for example `audience` or `resource`. */
  readonly parameters?: Readonly<Record<string, string>>;
}
