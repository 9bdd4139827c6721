import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import type { Place, RunningServer } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer } from '../harness/server.ts'

let place: Place
let server: RunningServer
beforeAll(async () => {
  place = await emptyPlace()
  server = await startServer({ place })
})
afterAll(async () => {
  await server.stop()
  await place.drop()
})

const run = (...args: string[]) => postil(place, args)

test('workspaces can be created, filled and deleted while the server runs', async () => {
  const client = createClient(server.url, { api_key: OWNER.apiKey })
  expect(await run('workspaces', 'create', 'team')).toEqual({ code: 0, stdout: "Created workspace 'team'.\n", stderr: '' })
  expect(await run('workspaces', 'create', 'team')).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
  expect(await run('workspaces', 'create', 'a b')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^name: /) })
  await createFactories(client).createUser({ username: 'ann' })
  expect(await run('workspaces', 'add-user', 'team', 'ann')).toMatchObject({ code: 0 })
  expect(await run('workspaces', 'add-user', 'team', 'ann')).toMatchObject({
    code: 1,
    stderr: "User 'ann' is already in workspace 'team'. Nothing was changed.\n",
  })
  expect(await run('workspaces', 'add-user', 'team', 'nobody')).toMatchObject({ code: 1, stderr: "There is no user 'nobody'.\n" })
  const { stdout } = await run('workspaces', 'list', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ items: [{ name: 'default' }, { name: 'team', users: ['ann'] }] })
  expect((await run('workspaces', 'list')).stdout).toMatch(/^team +1 +ann$/m)
  const { items } = (await client.get<{ items: { id: string; name: string }[] }>('/me/workspaces')).body
  const id = items.find(({ name }) => name === 'team')?.id ?? ''
  expect((await client.get(`/workspaces/${id}/users`)).body).toMatchObject({ items: [{ username: 'ann' }] })
  expect(await run('workspaces', 'remove-user', 'team', 'ann')).toMatchObject({ code: 0 })
  expect(await run('workspaces', 'remove-user', 'team', 'ann')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not in'),
  })
  await createFactories(client).createDataset({ name: 'kept', workspace_id: id })
  expect(await run('workspaces', 'delete', 'team')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('still has datasets'),
  })
  await run('workspaces', 'create', 'empty')
  expect(await run('workspaces', 'delete', 'empty')).toMatchObject({ code: 0 })
  expect(await run('workspaces', 'delete', 'empty')).toMatchObject({ code: 1, stderr: "There is no workspace 'empty'.\n" })
})

test('users are listed without their keys', async () => {
  const { code, stdout } = await run('users', 'list', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    items: [{ username: OWNER.username, role: 'owner', active: true }, { username: 'ann' }],
  })
  expect(stdout).not.toContain(OWNER.apiKey)
  expect((await run('users', 'list')).stdout).toMatch(/^owner +owner +active/m)
})
