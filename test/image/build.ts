import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Copy, DockerfileParser, type Instruction, type PropertyInstruction } from 'dockerfile-ast';
import { copyFiles, readIgnore } from './copy.ts';

/** The image that an engine would build from a Dockerfile, without the files of its base image. */
export interface Image {
  /** The folder with the files of the last stage, each at its path in the image. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly gid: number;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/** A finished step of the build. */
export interface BuiltStep {
  readonly text: string;
  readonly seconds: number;
}

interface Stage {
  readonly name: string | undefined;
  readonly root: string;
  readonly env: Record<string, string>;
  /** Build arguments, which only the steps of this stage see. */
  readonly args: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

/** The inputs of a build. */
interface Sources {
  /** The folder with the Dockerfile and .dockerignore. */
  readonly context: string;
  /** An empty folder that gets one folder for each stage. */
  readonly folder: string;
  /** The environment of the base images. */
  readonly env: Readonly<Record<string, string>>;
  readonly buildArgs: Readonly<Record<string, string>>;
}

/**
 * Runs the steps of a Dockerfile with the same commands. Each stage gets its own folder in place of its base
 * image.
 * @throws if a step fails, or at an instruction that is not supported here
 */
export function buildImage({ context, folder, env, buildArgs }: Sources): {
  image: Image;
  steps: BuiltStep[];
} {
  const stages: Stage[] = [];
  const steps: BuiltStep[] = [];
  const dockerfile = DockerfileParser.parse(readFileSync(path.join(context, 'Dockerfile'), 'utf8'));
  const isInContext = readIgnore(context);
  for (const instruction of dockerfile.getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') stages.push(newStage(instruction, path.join(folder, `${stages.length}`)));
    const stage = stages.at(-1);
    if (!stage) throw new Error(`${keyword} comes before FROM`);
    const began = performance.now();
    switch (keyword) {
      case 'FROM':
      case 'LABEL':
      case 'EXPOSE':
        break;
      case 'WORKDIR':
        stage.workdir = path.posix.resolve(stage.workdir, textOf(instruction));
        mkdirSync(path.join(stage.root, stage.workdir), { recursive: true });
        break;
      case 'ENV':
        Object.assign(stage.env, propertiesOf(instruction));
        break;
      case 'ARG':
        for (const [name, preset] of Object.entries(propertiesOf(instruction)))
          stage.args[name] = buildArgs[name] ?? preset;
        break;
      case 'COPY':
        copyFiles(instruction as Copy, stage, stages, { context, isInContext });
        break;
      case 'RUN':
        execFileSync('/bin/sh', ['-c', textOf(instruction)], {
          cwd: path.join(stage.root, stage.workdir),
          env: { ...env, ...stage.args, ...stage.env },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        break;
      case 'USER':
        stage.user = textOf(instruction);
        break;
      case 'ENTRYPOINT':
        stage.entrypoint = execFormOf(instruction);
        break;
      case 'CMD':
        stage.command = execFormOf(instruction);
        break;
      case 'HEALTHCHECK':
        stage.healthcheck = execFormOf(instruction);
        break;
      default:
        throw new Error(`${keyword} is not supported here`);
    }
    if (keyword === 'COPY' || keyword === 'RUN')
      steps.push({ text: instruction.toString(), seconds: (performance.now() - began) / 1000 });
  }
  const last = stages.at(-1);
  if (!last) throw new Error('the Dockerfile has no stage');
  const [uid, gid] = last.user.split(':').map(Number);
  if (uid === undefined || gid === undefined) throw new Error(`USER ${last.user} is not a pair of ids`);
  const { root, workdir, entrypoint, command, healthcheck } = last;
  return { image: { root, workdir, env: last.env, uid, gid, entrypoint, command, healthcheck }, steps };
}

function newStage(from: Instruction, root: string): Stage {
  const [, , name] = from.getArguments().map((argument) => argument.getValue());
  mkdirSync(root, { mode: 0o755 });
  const nothing = { entrypoint: [], command: [], healthcheck: [] };
  return { name, root, env: {}, args: {}, workdir: '/', user: '0:0', ...nothing };
}

function textOf(instruction: Instruction): string {
  return instruction.getArgumentsContent() ?? '';
}

function propertiesOf(instruction: Instruction): Record<string, string> {
  const properties = (instruction as PropertyInstruction).getProperties();
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getValue() ?? '']));
}

/** Parses a command in exec form. The shell form would start a shell, which does not forward signals. */
function execFormOf(instruction: Instruction): string[] {
  return JSON.parse(textOf(instruction).replace(/^(?:--\S+\s+)*(?:CMD\s+)?/, '')) as string[];
}
