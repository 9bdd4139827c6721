import * as contract from '@postil/contract/comments.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { reply } from '#platform/http/answers/answers.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as commands from './commands.ts'
import * as mentions from './mentions.ts'

export const threadRoutes: readonly Registration[] = [
  route(contract.listComments, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(commands.listComments, { user: actorOf(user), ...params }),
  })),
  route(contract.createComment, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.createComment, { user: actorOf(user), ...params, body }),
  ),
  route(contract.updateComment, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.updateComment, { user: actorOf(user), ...params, body }),
  ),
  route(contract.deleteComment, async ({ ctx, user, params }) => {
    await ctx.store.write(commands.deleteComment, { user: actorOf(user), ...params })
    return reply(204, undefined)
  }),
  route(contract.listMentions, async ({ ctx, user }) => ({
    items: await ctx.store.read(mentions.listMentions, { user: actorOf(user) }),
  })),
]
