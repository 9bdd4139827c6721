import { activated } from '../second-factor.ts'
import type { Stage } from '../stage.ts'
import type { Refusal } from './refusal.ts'

const without = async ({ owner, users }: Stage) => {
  await owner.delete(`/users/${users.owner.id}/second-factor`)
}
const having = async (stage: Stage) => {
  await without(stage)
  await activated(stage.owner, stage.users.owner)
}
const code = '123456'

export const secondFactorRefusals: readonly Refusal[] = [
  {
    id: 'second_factor.begin',
    why: 'there is one',
    status: 409,
    sent: async (stage) => {
      await having(stage)
      return { body: { current_password: stage.users.owner.password } }
    },
  },
  {
    id: 'second_factor.begin',
    why: 'the password is wrong',
    status: 422,
    sent: async (stage) => {
      await without(stage)
      return { body: { current_password: 'not this one' } }
    },
  },
  {
    id: 'second_factor.activate',
    why: 'there is one',
    status: 409,
    sent: async (stage) => {
      await having(stage)
      return { body: { code } }
    },
  },
  {
    id: 'session.show_second_factor',
    why: 'there is none',
    status: 409,
    sent: async (stage) => {
      await without(stage)
      return { body: { code } }
    },
  },
  ...(['renew', 'remove'] as const).map(
    (act): Refusal => ({
      id: `second_factor.${act}`,
      why: 'there is none',
      status: 409,
      sent: async (stage) => {
        await without(stage)
        return { body: { code, ...(act === 'remove' && { current_password: stage.users.owner.password }) } }
      },
    }),
  ),
]
