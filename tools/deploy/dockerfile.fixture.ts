import { readFileSync } from 'node:fs';

export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  /** Name of another stage, or of an image. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** Values of the `ARG`s before the first stage. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly stages: readonly Stage[];
}

/** The Dockerfile of this repository, its continued lines joined. */
export function readDockerfile(): Dockerfile {
  const lines = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ' ').split('\n');
  const instructions = lines.filter((line) => /^[A-Z]+ /.test(line)).map(parseInstruction);
  const defaults: Record<string, string> = {};
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructions) {
    const [base = '', , name = ''] = instruction.text.split(' ');
    const current = stages.at(-1);
    if (instruction.keyword === 'FROM') stages.push({ name, base, instructions: [] });
    else if (current) current.instructions.push(instruction);
    else Object.assign(defaults, Object.fromEntries([instruction.text.split('=')]));
  }
  return { defaults, stages };
}

function parseInstruction(line: string): Instruction {
  const end = line.indexOf(' ');
  return {
    keyword: line.slice(0, end),
    text: line
      .slice(end + 1)
      .replace(/\s+/g, ' ')
      .trim(),
  };
}

/** Version of Node.js that the images are built with and run on. */
export function nodeVersionOfImages({ defaults }: Dockerfile): string {
  const version = /^node:(\d+\.\d+\.\d+)-/.exec(defaults.NODE_IMAGE ?? '')?.[1];
  if (version === undefined) throw new Error(`NODE_IMAGE names no whole version: ${defaults.NODE_IMAGE}`);
  return version;
}

/** The instructions of an image: those of its stage and of all stages it is built on, in order. */
export function contentOf(
  dockerfile: Dockerfile,
  name: string,
): { readonly image: string; readonly instructions: readonly Instruction[] } {
  const stage = dockerfile.stages.find((one) => one.name === name);
  if (!stage) return { image: name, instructions: [] };
  const { image, instructions } = contentOf(dockerfile, stage.base);
  return { image, instructions: [...instructions, ...stage.instructions] };
}

/** The text of the last instruction of a kind, which is the effective one. */
export function lastOf(instructions: readonly Instruction[], keyword: string): string {
  return instructions.filter((one) => one.keyword === keyword).at(-1)?.text ?? '';
}
