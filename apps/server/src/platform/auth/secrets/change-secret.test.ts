import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootServer } from '@postil/testkit/boot.ts'
import { emptyPlace } from '@postil/testkit/store.ts'
import { expect, it } from 'vitest'
import { resealAll, SEALED } from './change-secret.ts'
import { createSecrets } from './secrets.ts'
import { secretsOfStore } from './store-secret.ts'

it('covers every column of encrypted texts', () => {
  const folder = join(import.meta.dirname, '../../db')
  const tables = readdirSync(folder).filter((name) => name.endsWith('tables.ts'))
  const text = tables.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  const found = [...text.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\},$/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/^ {4}(\w*sealed\w*):/gm)].map(([, column]) => `${table}.${column}`),
  )
  expect(found.toSorted()).toEqual(SEALED.map(({ table, column }) => `${table}.${column}`).toSorted())
})

type User = { readonly username: string; readonly api_key: string }
type Webhook = { readonly id: string; readonly secret: string }
const OTHER = 'what nobody knows any more'
const NEXT = 'the secret that is to come'

it('re-encrypts everything, and leaves unreadable values alone', async () => {
  const place = await emptyPlace()
  try {
    const server = await bootServer({ place })
    const { store, secrets } = server.app.ctx
    await server.createUser()
    const before = await server.clientFor(server.owner).get<{ items: User[] }>('/users')
    const hook = { url: 'http://127.0.0.1:9/', events: ['dataset.created'] }
    const { body: webhook } = await server.clientFor(server.owner).post<Webhook>('/webhooks', hook)
    await resealAll(store, secrets, createSecrets(OTHER))
    await expect(secretsOfStore(store, 'a secret of before', { secret: 'given', dataDir: '' })).rejects.toThrow(/POSTIL_SECRET/)
    // The secret of the store was changed, but the running server still encrypts this user's API key with the previous secret.
    const stray = await server.createUser()
    expect(await resealAll(store, createSecrets(OTHER), createSecrets(NEXT))).toEqual({ sealed: 3, unreadable: 1 })
    await server.close()
    const later = await bootServer({ place, env: { POSTIL_SECRET: NEXT } })
    const after = await later.clientFor(server.owner).get<{ items: User[] }>('/users')
    expect(after.body.items.filter(({ username }) => username !== stray.username)).toEqual(before.body.items)
    expect(after.body.items.find(({ username }) => username === stray.username)?.api_key).toBe('')
    const { body: hooks } = await later.clientFor(server.owner).get<{ items: Webhook[] }>('/webhooks')
    expect(hooks.items.map(({ id, secret }) => ({ id, secret }))).toEqual([{ id: webhook.id, secret: webhook.secret }])
    await later.close()
  } finally {
    await place.drop()
  }
})
