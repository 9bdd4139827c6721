import type { ApiFixture } from '../fixture.ts'
import { activated } from '../second-factor.ts'
import type { Refusal } from './refusal.ts'

const without = async ({ owner, users }: ApiFixture) => {
  await owner.delete(`/users/${users.owner.id}/second-factor`)
}
const having = async (fixture: ApiFixture) => {
  await without(fixture)
  await activated(fixture.owner, fixture.users.owner)
}
const code = '123456'

export const secondFactorRefusals: readonly Refusal[] = [
  {
    id: 'second_factor.begin',
    why: 'there is an active factor',
    status: 409,
    sent: async (fixture) => {
      await having(fixture)
      return { body: { current_password: fixture.users.owner.password } }
    },
  },
  {
    id: 'second_factor.begin',
    why: 'the password is wrong',
    status: 422,
    sent: async (fixture) => {
      await without(fixture)
      return { body: { current_password: 'not this one' } }
    },
  },
  {
    id: 'second_factor.activate',
    why: 'there is an active factor',
    status: 409,
    sent: async (fixture) => {
      await having(fixture)
      return { body: { code } }
    },
  },
  {
    id: 'session.show_second_factor',
    why: 'there is no factor',
    status: 409,
    sent: async (fixture) => {
      await without(fixture)
      return { body: { code } }
    },
  },
  ...(['renew', 'remove'] as const).map(
    (act): Refusal => ({
      id: `second_factor.${act}`,
      why: 'there is no factor',
      status: 409,
      sent: async (fixture) => {
        await without(fixture)
        return { body: { code, ...(act === 'remove' && { current_password: fixture.users.owner.password }) } }
      },
    }),
  ),
]
