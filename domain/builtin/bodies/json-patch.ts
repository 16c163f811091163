import fastJsonPatch from 'fast-json-patch';
import type { Operation } from 'fast-json-patch';
import { escapeToken, isObject } from '../../../spec/index.ts';
import type { Json, JsonObject } from '../../../spec/index.ts';
import type { Draw } from '../../../generators/core/draw.ts';
import { INTERESTING_KEYS } from '../../../generators/values/keys.ts';
import type { BodyKind } from './domain-generator.ts';
import { field } from './fields.ts';
import { sampleJob } from './samples.ts';

type Step = JsonObject;

const text = field('patched text');
const requiredText = field('patched name', 1);
const TEXTS = ['description', 'prompt', 'cronSchedule'];

/** The document after a patch (RFC 6902); undefined where an operation fails. */
export function patched(document: Json, patch: Json): Json | undefined {
  try {
    return fastJsonPatch.applyPatch(
      structuredClone(document),
      structuredClone(patch) as unknown as Operation[],
      true,
      false,
    ).newDocument;
  } catch {
    return undefined;
  }
}

/** JSON Patches that can be applied to a job. A deployment may refuse an empty one. */
export function patchKind(document: JsonObject = sampleJob('assay')): BodyKind {
  return {
    make: (draw) => makePatch(draw, document),
    accepts: (patch) => Array.isArray(patch) && patch.length > 0 && patched(document, patch) !== undefined,
  };
}

function makePatch(draw: Draw, document: JsonObject): Json {
  const steps: Step[] = [];
  const wanted = draw.profile.optional === 0 ? 1 : draw.random.pick([1, 1, 1, 2, 3, 5, 12]);
  let state = document;
  for (let attempt = 0; steps.length < wanted && attempt < wanted * 4; attempt += 1) {
    draw.offset += 1;
    const step = oneStep(draw, state);
    const next = patched(state, [step]);
    if (!isObject(next)) continue;
    steps.push(step);
    state = next;
  }
  return steps;
}

function oneStep(draw: Draw, state: JsonObject): Step {
  const { random } = draw;
  return random.pick([onText, onText, onName, onMetadata, onMetadata, onSkills, onTest, onCopy])(draw, state);
}

function onText(draw: Draw, state: JsonObject): Step {
  const path = `/${draw.random.pick(TEXTS)}`;
  if (draw.random.chance(draw.profile.nulls)) return { op: 'replace', path, value: null };
  return {
    op: Object.hasOwn(state, path.slice(1)) && draw.random.chance(0.5) ? 'replace' : 'add',
    path,
    value: text(draw),
  };
}

function onName(draw: Draw): Step {
  return { op: draw.random.pick(['replace', 'add']), path: '/name', value: requiredText(draw) };
}

function onMetadata(draw: Draw, state: JsonObject): Step {
  const { random } = draw;
  const metadata = state['metadata'];
  if (!isObject(metadata)) return { op: 'add', path: '/metadata', value: { assay: text(draw) } };
  const known = Object.keys(metadata);
  const existing = known.length > 0 && random.chance(0.4) ? random.pick(known) : undefined;
  if (existing !== undefined && random.chance(0.4)) return { op: 'remove', path: `/metadata/${escapeToken(existing)}` };
  const key =
    existing ??
    draw.interesting(
      INTERESTING_KEYS.filter((name) => name !== '__proto__' && name !== 'prototype' && name !== 'constructor'),
      9,
    ) ??
    `assay${random.int(0, 9)}`;
  return { op: existing === undefined ? 'add' : 'replace', path: `/metadata/${escapeToken(key)}`, value: text(draw) };
}

function onSkills(draw: Draw, state: JsonObject): Step {
  const skills = state['allowedSkills'];
  if (!Array.isArray(skills)) return { op: 'add', path: '/allowedSkills', value: ['assay'] };
  if (skills.length > 0 && draw.random.chance(0.3))
    return { op: 'remove', path: `/allowedSkills/${draw.random.int(0, skills.length - 1)}` };
  return {
    op: 'add',
    path: draw.random.pick(['/allowedSkills/-', '/allowedSkills/0', `/allowedSkills/${skills.length}`]),
    value: text(draw),
  };
}

function onTest(draw: Draw, state: JsonObject): Step {
  const names = ['name', ...TEXTS, 'enabled', 'metadata', 'allowedSkills'].filter((name) => Object.hasOwn(state, name));
  const name = draw.random.pick(names.length > 0 ? names : ['name']);
  return { op: 'test', path: `/${name}`, value: state[name] ?? null };
}

function onCopy(draw: Draw): Step {
  const [from, to] = draw.random.shuffle(TEXTS);
  return {
    op: draw.random.chance(0.8) ? 'copy' : 'move',
    from: `/${from ?? 'prompt'}`,
    path: `/${to ?? 'description'}`,
  };
}
