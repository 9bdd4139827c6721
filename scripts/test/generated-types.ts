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

/** Links the installed packages. Links between the packages of the repository keep pointing into the copy. */
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

/** The generator comes first, then the checks. */
const steps = (): readonly Step[] => {
  const biome = 'node_modules/@biomejs/biome/bin/biome'
  const vitest = 'node_modules/vitest/vitest.mjs'
  const tsc = 'node_modules/typescript/bin/tsc'
  const slices = ['packages/contract/src', 'apps/server/src', 'apps/web/src'].flatMap((base) => [
    `${base}/question-types`,
    `${base}/field-types`,
  ])
  return [
    { name: 'new:question-type', args: ['scripts/new-type.mjs', 'question', QUESTION] },
    { name: 'new:field-type', args: ['scripts/new-type.mjs', 'field', FIELD] },
    { name: 'format and lint', args: [biome, 'check', '--error-on-warnings', ...slices] },
    { name: 'boundaries', args: ['scripts/boundaries.mjs'] },
    { name: 'prose', args: ['scripts/prose.mjs'] },
    { name: 'types of the server', args: [tsc, '-p', 'tsconfig.server.json'] },
    { name: 'types of the page', args: [tsc, '-p', 'apps/web'] },
    {
      name: 'tests',
      args: [
        vitest,
        'run',
        ...['contract', 'server-pure', 'server-sqlite', 'web'].map((project) => `--project=${project}`),
        QUESTION,
        FIELD,
        'types/conformance',
        'contract/src/conformance',
        'message-keys',
        'type-names',
      ],
    },
  ]
}

/** Resolves with the number of steps that passed. @throws UserError with the output of the first step that fails */
export const checkGeneratedTypes = async (log: (line: string) => void): Promise<number> => {
  const copy = mkdtempSync(join(tmpdir(), 'postil-types-'))
  try {
    copyRepository(copy)
    const all = steps()
    for (const { name, args } of all) {
      const began = performance.now()
      const { code, output } = await run(process.execPath, args, {
        cwd: copy,
        quiet: true,
        env: { ...process.env, FORCE_COLOR: '0' },
      })
      if (code !== 0) throw new UserError(`${name} failed:\n${output}`)
      log(`ok     ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    }
    return all.length
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runMain(async () => {
    await checkGeneratedTypes(console.log)
  })
