import { changeApiKey, createUser, deleteUser, getMe, getUser, listUsers, updateUser } from '@postil/contract/people/users.ts'
import { route } from '#platform/http/route.ts'
import * as users from './service.ts'

export const userRoutes = [
  route(getMe, ({ ctx, user }) => users.getMe(ctx, user)),
  route(listUsers, ({ ctx, user }) => users.listUsers(ctx, user)),
  route(getUser, ({ ctx, user, params }) => users.getUser(ctx, user, params.user_id)),
  route(createUser, ({ ctx, user, body }) => users.createUser(ctx, user, body)),
  route(updateUser, ({ ctx, user, params, body }) => users.updateUser(ctx, user, params.user_id, body)),
  route(changeApiKey, ({ ctx, user, params }) => users.changeApiKey(ctx, user, params.user_id)),
  route(deleteUser, ({ ctx, user, params }) => users.deleteUser(ctx, user, params.user_id)),
]
