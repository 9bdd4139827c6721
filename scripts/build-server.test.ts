import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from './build-server.mjs'

const out = mkdtempSync(join(tmpdir(), 'postil-build-'))
beforeAll(() => buildServer(out), 120_000)
afterAll(() => rm(out, { recursive: true }))

/** The text of everything that a file loads before it runs. */
const loadedBy = (file: string, seen = new Map<string, string>()): string => {
  if (!seen.has(file)) {
    const text = readFileSync(join(out, file), 'utf8')
    seen.set(file, text)
    for (const [, next] of text.matchAll(/^(?:import|export)\b[^;]*? ?"\.\/([^"]+)";/gm))
      if (next !== undefined) loadedBy(next, seen)
  }
  return [...seen.values()].join('\n')
}

/** Returns the name of the built file that contains a dynamically imported module. */
const fileOf = (name: string, importer: string): string => {
  const file = new RegExp(`import\\("\\./(main-${name}-[^"]+)"\\)`).exec(importer)?.[1]
  if (file === undefined) throw new Error(`nothing loads ${name}`)
  return file
}

const endpointsIn = (text: string): string[] => [...text.matchAll(/defineEndpoint\(\{\s*id: "([^"]+)"/g)].map(([, id = '']) => id)

describe('the build', () => {
  test('leaves the schemas of requests and responses out of the threads of the store', () => {
    expect(endpointsIn(loadedBy('endpoints.js')).length).toBeGreaterThan(100)
    // The threads need the rules for second factors. These rules contain the paths of the following endpoints.
    const others = endpointsIn(loadedBy('operations.js')).filter((id) => !/^(second_factor\.|session\.|users\.me$)/.test(id))
    expect(others).toEqual([])
  })

  test('loads the server only for commands that need it', () => {
    const commands = loadedBy(fileOf('run', loadedBy('main.js')))
    expect(commands).toContain('// apps/server/src/cli/commands.ts')
    for (const name of ['version', 'reindex', 'users-migrate']) {
      expect(commands + loadedBy(fileOf(name, commands))).not.toMatch(
        /\/\/ (node_modules\/(fastify|kysely)|apps\/server\/src\/features)\//,
      )
    }
    expect(loadedBy(fileOf('start', commands))).toContain('// node_modules/fastify/')
  })

  test('knows all kinds of jobs in servers and workers', () => {
    const kindsIn = (text: string): string[] =>
      [...new Set([...text.matchAll(/\bjobKind(?:\$\d)?\(\s*"([^"]+)"/g)].map(([, kind = '']) => kind))].sort()
    const declared = kindsIn(loadedBy('operations.js'))
    expect(declared).toEqual(expect.arrayContaining(['dataset.rebuild', 'imports.file', 'models.run', 'text.rebuild']))
    const commands = loadedBy(fileOf('run', loadedBy('main.js')))
    for (const name of ['start', 'worker']) expect(kindsIn(loadedBy(fileOf(name, commands)))).toEqual(declared)
  })
})
