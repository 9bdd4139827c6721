import { bootServer } from '@postil/testkit/boot.ts'
import { emptyPlace } from '@postil/testkit/store.ts'
import { expect, it } from 'vitest'
import { readConfig } from '#platform/config/read-config.ts'
import { openContext } from '../../open-context.ts'
import { ensureOwner } from './first-start.ts'

const contextWith = async (env: { [name: string]: string }) => {
  const place = await emptyPlace()
  const result = readConfig({
    POSTIL_DATA_DIR: place.folder,
    POSTIL_DATABASE_URL: place.url,
    POSTIL_SECRET: 'a secret of the tests, long enough',
    POSTIL_LOG_LEVEL: 'silent',
    ...env,
  })
  if (!result.ok) throw new Error(result.problems.join('\n'))
  const ctx = await openContext(result.config, { exclusive: false, passwordCost: { memoryCost: 8, timeCost: 1 } })
  return {
    ctx,
    drop: async () => {
      await ctx.store.close()
      await place.drop()
    },
  }
}

it('creates one owner and a workspace with generated secrets, once', async () => {
  const { ctx, drop } = await contextWith({})
  const made = await Promise.all([ensureOwner(ctx), ensureOwner(ctx), ensureOwner(ctx)])
  expect(made.filter((one) => one !== null)).toEqual([
    {
      username: 'owner',
      workspace: 'default',
      password: expect.stringMatching(/^[\w-]{20}$/),
      apiKey: expect.stringMatching(/^[\w-]{107}$/),
      linkToken: expect.stringMatching(/^[\w-]{43}$/),
    },
  ])
  expect(await ensureOwner(ctx)).toBeNull()
  await drop()
})

it('uses the configured values and doesn’t print them again', async () => {
  const { ctx, drop } = await contextWith({
    POSTIL_OWNER_USERNAME: 'boss',
    POSTIL_OWNER_PASSWORD: 'a given password',
    POSTIL_OWNER_API_KEY: 'a given key',
    POSTIL_OWNER_WORKSPACE: 'team',
  })
  expect(await ensureOwner(ctx)).toMatchObject({ username: 'boss', workspace: 'team', password: null, apiKey: null })
  await drop()
})

it('creates an owner who can sign in, is a member and owns everything', async () => {
  const server = await bootServer()
  const as = server.clientFor(server.owner)
  expect((await as.get('/me')).body).toMatchObject({
    username: 'owner',
    role: 'owner',
    first_name: '',
    api_key: server.owner.api_key,
  })
  const { body } = await as.get<{ items: { id: string; name: string }[] }>('/me/workspaces')
  expect(body.items.map(({ name }) => name)).toEqual(['default'])
  expect((await as.get(`/workspaces/${body.items[0]?.id}/users`)).body).toMatchObject({ items: [{ username: 'owner' }] })
  await server.close()
})
