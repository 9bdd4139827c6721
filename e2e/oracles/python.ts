import { spawnSync } from 'node:child_process'
import { preparePythonVenv } from '../../scripts/lib/python.mjs'

/** How long the libraries may take to install, in milliseconds. */
export const INSTALL_TIMEOUT = 900_000

/** Runs a Python script that reads JSON and prints JSON. */
const run = (python: string, script: string, input: unknown): unknown => {
  const { stdout, stderr, status } = spawnSync(python, [script], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Runs a script that can import the libraries listed in `requirements.txt`. */
export const askPython = async (script: string, input: unknown): Promise<unknown> =>
  run(process.env.POSTIL_TEST_ORACLES ?? (await preparePythonVenv('oracles-venv', 'e2e/oracles/requirements.txt')), script, input)

/** Runs a script that can import crowd-kit. Installing it takes several minutes and 800 MB. */
export const askCrowdKit = async (script: string, input: unknown): Promise<unknown> =>
  run(await preparePythonVenv('crowd-kit-venv', 'e2e/review/requirements.txt'), script, input)

/** Runs a script that can import the SDK of Label Studio. Installing it takes 500 MB. */
export const askLabelStudio = async (script: string, input: unknown): Promise<unknown> =>
  run(
    process.env.POSTIL_TEST_LABEL_STUDIO ??
      (await preparePythonVenv('label-studio-venv', 'e2e/exports/label-studio/requirements.txt')),
    script,
    input,
  )

/** Runs a script that can import the libraries that read exported files: spaCy, datasets, seqeval and conllu. */
export const askTrainingLibraries = async (script: string, input: unknown): Promise<unknown> =>
  run(
    process.env.POSTIL_TEST_TRAINING ?? (await preparePythonVenv('training-venv', 'e2e/exports/requirements.txt')),
    script,
    input,
  )
