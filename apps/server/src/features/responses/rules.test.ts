import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResponsesFixture } from './testing/fixtures.ts'
import { createFixture, label } from './testing/fixtures.ts'
import { rowsOf } from './testing/operations.ts'

let fixture: ResponsesFixture
let server: ResponsesFixture['server']
let ann: TestUser
let bob: TestUser
let admin: TestUser
beforeAll(async () => {
  fixture = await createFixture()
  ;({ server, ann, bob, admin } = fixture)
})
afterAll(() => server.close())

const as = (user: TestUser) => fixture.as(user)
const newRecord = () => fixture.newRecord()
const answer: ResponsesFixture['answer'] = (...args) => fixture.answer(...args)
const differences = () => fixture.differences()

describe('the validation rules', () => {
  const submit = (values: unknown) => ({ status: 'submitted', values })
  const whole = {
    label: { value: 'a' },
    tags: { value: ['x', 'z'] },
    stars: { value: 2 },
    order: {
      value: [
        { value: 'q', rank: 1 },
        { value: 'p', rank: 1 },
      ],
    },
    words: { value: [{ label: 's', start: 6, end: 7 }] },
  }
  it('accept a complete answer and store it as sent', async () => {
    const record = await newRecord()
    const created = await answer(ann, record, submit(whole))
    expect(created).toMatchObject({ status: 201, body: { values: whole } })
  })
  it.each([
    ['no values', submit({}), 'Missing response values'],
    ['a missing required question', submit({ stars: { value: 1 } }), 'label'],
    ['an unknown question', submit({ ...label('a'), other: { value: 'a' } }), 'other'],
    ['an unknown question in a discarded answer', { status: 'discarded', values: { other: { value: 'a' } } }, 'other'],
    ['an unknown option', submit(label('c')), 'label'],
    ['an unknown option in a discarded answer', { status: 'discarded', values: label('c') }, 'label'],
    ['an empty list of labels in a draft', { status: 'draft', values: { tags: { value: [] } } }, 'tags'],
    ['a partial ranking', submit({ ...label('a'), order: { value: [{ value: 'p', rank: 1 }] } }), 'order'],
    [
      'a span beyond the end of the text, in code points',
      submit({ ...label('a'), words: { value: [{ label: 's', start: 6, end: 15 }] } }),
      'words',
    ],
  ])('reject %s', async (_, body, named) => {
    const record = await newRecord()
    expect(await answer(ann, record, body)).toMatchObject({ status: 422, body: { detail: expect.stringContaining(named) } })
    expect((await server.tool.read(rowsOf, { table: 'responses' })).some((row) => row.record_id === record)).toBe(false)
  })
  it('check in order: values, required questions, unknown questions, each value', async () => {
    const record = await newRecord()
    const faults = async (values: unknown) => (await answer(ann, record, submit(values))).body as unknown as { detail: string }
    expect((await faults({ stars: { value: 9 }, other: { value: 'a' } })).detail).toContain('label')
    expect((await faults({ ...label('zz'), other: { value: 'a' } })).detail).toContain('other')
  })
})

describe('permissions', () => {
  it('let members and owners answer, but not strangers', async () => {
    const record = await newRecord()
    for (const user of [ann, bob, admin, server.owner]) expect((await answer(user, record, { status: 'draft' })).status).toBe(201)
    for (const user of [fixture.stranger, fixture.foreignAdmin]) {
      expect(await answer(user, record, { status: 'submitted', values: {} })).toMatchObject({ status: 403 })
    }
    expect((await server.clientFor(null).post(`/records/${record}/responses`, { status: 'draft' })).status).toBe(401)
  })

  it('let only workspace admins and owners change other users’ answers, which keep their author', async () => {
    const record = await newRecord()
    const { body } = await answer(ann, record, { status: 'draft' })
    for (const user of [bob, fixture.stranger, fixture.foreignAdmin]) {
      expect((await as(user).put(`/responses/${body.id}`, { status: 'submitted', values: {} })).status).toBe(403)
      expect((await as(user).delete(`/responses/${body.id}`)).status).toBe(403)
    }
    for (const user of [admin, server.owner]) {
      const changed = await as(user).put(`/responses/${body.id}`, {
        status: 'submitted',
        values: label(user === admin ? 'a' : 'b'),
      })
      expect(changed).toMatchObject({ status: 200, body: { user_id: ann.id, values: label(user === admin ? 'a' : 'b') } })
    }
    expect((await as(admin).delete(`/responses/${body.id}`)).status).toBe(200)
    expect(await differences()).toEqual([])
  })

  it('let authors change their own answers, even after they leave the workspace', async () => {
    const gone = await server.createUser({ workspaces: [fixture.workspace] })
    const record = await newRecord()
    const { body } = await answer(gone, record, { status: 'draft' })
    await server.clientFor(server.owner).delete(`/workspaces/${fixture.workspace}/users/${gone.id}`)
    expect((await as(gone).put(`/responses/${body.id}`, { status: 'submitted', values: label('a') })).status).toBe(200)
    const ownRequest = { mutation_id: crypto.randomUUID(), base_version: 2, status: 'draft', values: {} }
    expect((await as(gone).put(`/records/${record}/responses/mine`, ownRequest)).status).toBe(200)
    expect((await as(gone).delete(`/responses/${body.id}`)).status).toBe(200)
    expect((await answer(gone, record, { status: 'draft' })).status).toBe(403)
  })
})
