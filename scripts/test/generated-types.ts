/**
 * Generates a question type and a field type in a temporary copy of the repository, and checks the copy: lint, prose, imports,
 * types, and the tests of both types. Run by `npm test`, or alone: `npx node scripts/test/generated-types.ts`.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, run, runMain, UserError } from '../lib/run.mjs'

const QUESTION = 'sample_question'
const FIELD = 'sample_field'

/**
 * Links the installed packages into the copy. Links to the repository's own packages (`@postil`) keep their relative targets, so
 * they lead to the copies of these packages.
 */
const linkModules = (from: string, to: string): void => {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== '@postil') symlinkSync(join(from, name), join(to, name))
    else {
      mkdirSync(join(to, name))
      for (const own of readdirSync(join(from, name))) symlinkSync(readlinkSync(join(from, name, own)), join(to, name, own))
    }
  }
}

/** Copies the repository as it is on disk, without ignored files and history. Some checks ask git for the list of files. */
export const copyRepository = (to: string): void => {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  for (const path of new Set(listed.split('\0'))) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(join(root, path), join(to, path))
  }
  for (const folder of ['', 'apps/server', 'apps/web'])
    linkModules(join(root, folder, 'node_modules'), join(to, folder, 'node_modules'))
  execFileSync('git', ['init', '--quiet'], { cwd: to })
}

type Step = { readonly name: string; readonly args: readonly string[] }

const generators: readonly Step[] = [
  { name: 'new:question-type', args: ['scripts/new-type.mjs', 'question', QUESTION] },
  { name: 'new:field-type', args: ['scripts/new-type.mjs', 'field', FIELD] },
]

const slices = ['packages/contract/src', 'apps/server/src', 'apps/web/src'].flatMap((base) => [
  `${base}/question-types`,
  `${base}/field-types`,
])
const tsc = 'node_modules/typescript/bin/tsc'
const projects = ['contract', 'server-pure', 'server-sqlite', 'web', 'web-pure'].map((project) => `--project=${project}`)
const others = ['types/conformance', 'contract/src/conformance', 'message-keys', 'type-names']

/** The steps that check the copy. The two lists run in parallel. The steps in each list run one after the other. */
const checks: readonly (readonly Step[])[] = [
  [
    { name: 'types of the server', args: [tsc, '-p', 'tsconfig.server.json'] },
    { name: 'types of the web app', args: [tsc, '-p', 'apps/web'] },
  ],
  [
    { name: 'lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...slices] },
    { name: 'boundaries', args: ['scripts/boundaries.mjs'] },
    { name: 'prose', args: ['scripts/prose.mjs'] },
    { name: 'tests', args: ['node_modules/vitest/vitest.mjs', 'run', ...projects, QUESTION, FIELD, ...others] },
  ],
]

/** Resolves with the number of steps that passed. @throws UserError with the output of the first step that fails */
export const checkGeneratedTypes = async (log: (line: string) => void): Promise<number> => {
  const copy = mkdtempSync(join(tmpdir(), 'postil-types-'))
  const env = { ...process.env, FORCE_COLOR: '0' }
  const runAll = async (steps: readonly Step[]): Promise<void> => {
    for (const { name, args } of steps) {
      const began = performance.now()
      const { code, output } = await run(process.execPath, args, { cwd: copy, quiet: true, env })
      if (code !== 0) throw new UserError(`${name} failed:\n${output}`)
      log(`ok     ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    }
  }
  try {
    copyRepository(copy)
    await runAll(generators)
    const results = await Promise.allSettled(checks.map(runAll))
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return [generators, ...checks].flat().length
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runMain(async () => {
    await checkGeneratedTypes(console.log)
  })
