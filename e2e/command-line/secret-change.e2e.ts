import { copyFileSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import { emptyPlace, OWNER, type Place, startServer, testEngine } from '../harness/server.ts'

const INITIAL_SECRET = 'another secret of the tests'
/**
 * Environment variables for servers and commands that run after the secret was changed. Empty for the embedded database, whose
 * secret is in the data folder.
 */
const withNewSecret = testEngine() === 'sqlite' ? {} : { POSTIL_SECRET: INITIAL_SECRET }
const change = (place: Place, env: { readonly [name: string]: string } = {}) =>
  postil(place, ['secret', 'change'], testEngine() === 'sqlite' ? env : { POSTIL_NEW_SECRET: INITIAL_SECRET, ...env })

/** Returns the owner's API key as the server shows it. Without the right secret, the server can't decrypt the key. */
const shownKey = async (place: Place, env: { readonly [name: string]: string }): Promise<string> => {
  const server = await startServer({ place, env })
  try {
    const me = await fetch(`${server.url}/api/v1/me`, { headers: { 'X-Argilla-Api-Key': OWNER.apiKey } })
    return ((await me.json()) as { api_key: string }).api_key
  } finally {
    await server.stop()
  }
}

test('the secret is changed, and the data it encrypts is still readable', async () => {
  const place = await emptyPlace()
  const secret = join(place.dataDir, 'secret')
  expect(await shownKey(place, {})).toBe(OWNER.apiKey)
  const old = join(place.dataDir, 'secret of before')
  if (testEngine() === 'sqlite') copyFileSync(secret, old)
  expect(await change(place)).toMatchObject({ code: 0, stdout: expect.stringContaining('Re-encrypted values: 1.') })
  expect(await shownKey(place, withNewSecret)).toBe(OWNER.apiKey)
  if (testEngine() === 'sqlite') {
    expect(readFileSync(secret, 'utf8')).not.toBe(readFileSync(old, 'utf8'))
    expect(statSync(secret).mode & 0o777).toBe(0o600)
    // Simulates a crash after the new secret was stored in the database and before it replaced the secret in the folder.
    const interruptChange = () => {
      renameSync(secret, join(place.dataDir, 'secret.next'))
      copyFileSync(old, secret)
    }
    interruptChange()
    const backup = join(place.dataDir, 'in between.backup')
    expect(await postil(place, ['backup', backup])).toMatchObject({ code: 0, stderr: '' })
    const restored = await emptyPlace()
    expect(await postil(restored, ['restore', backup])).toMatchObject({ code: 0, stderr: '' })
    expect(await shownKey(restored, {})).toBe(OWNER.apiKey)
    await restored.drop()
    interruptChange()
    expect(await shownKey(place, {})).toBe(OWNER.apiKey)
    expect(readFileSync(secret, 'utf8')).not.toBe(readFileSync(old, 'utf8'))
    expect(await change(place, { POSTIL_NEW_SECRET: INITIAL_SECRET })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('POSTIL_NEW_SECRET applies only if'),
    })
    copyFileSync(old, secret)
  } else {
    expect(await change(place, withNewSecret)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the same as the current secret'),
    })
    const missing = await postil(place, ['secret', 'change'], withNewSecret)
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('Set POSTIL_NEW_SECRET') })
  }
  expect(await postil(place, ['doctor'])).toMatchObject({ code: 1, stderr: expect.stringContaining('POSTIL_SECRET') })
  await place.drop()
})

test.runIf(testEngine() === 'sqlite')('the secret is not changed while a server runs', async () => {
  const place = await emptyPlace()
  const server = await startServer({ place })
  const before = readFileSync(join(place.dataDir, 'secret'), 'utf8')
  expect((await change(place)).code).toBe(1)
  expect(readFileSync(join(place.dataDir, 'secret'), 'utf8')).toBe(before)
  await server.stop()
  await place.drop()
})
