import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from './markup.ts';
import type { Markup } from './markup.ts';

export interface PageCode {
  readonly style: string;
  readonly script: string;
}

/** A page in one document: its style and script stand in it, and its policy allows nothing else. */
export interface PageDocument {
  readonly title: string;
  readonly style: string;
  readonly script?: string;
  /** Directives in addition to those of {@link policyOf}. */
  readonly policy?: string;
  /** Pages that it opens as a blob, which inherits the policy. */
  readonly opens?: readonly PageCode[];
  readonly body: Markup;
}

export function documentOf({ title, style, script = '', policy = '', opens = [], body }: PageDocument): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policyOf({ style, script }, ...opens)}${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}${script === '' ? '' : raw(`<script>${script}</script>`)}
      </body>
    </html> `.text;
}

/** A policy that allows only the style and script of these pages, by their hashes. */
export function policyOf(...pages: readonly PageCode[]): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = pages.map(({ script }) => hash(script)).join(' ');
  const styles = pages.map(({ style }) => hash(style)).join(' ');
  return `default-src 'none'; script-src ${scripts}; style-src ${styles}; base-uri 'none'; form-action 'none'`;
}

/** The text of the files, one after the other; `base` is the URL of the module that they lie beside. */
export function assets(base: string, ...names: readonly string[]): string {
  return names.map((name) => readFileSync(new URL(`./${name}`, base), 'utf8')).join('\n');
}

export const pageStyle = (): string => assets(import.meta.url, 'style.css');

/** Functions of scripts, to find and make elements: `$` and `make`. */
export const domScript = (): string => assets(import.meta.url, 'client-dom.js');
