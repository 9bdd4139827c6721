import { listPeople } from '@postil/contract/people/people.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as people from './service.ts'

export const peopleRoutes: readonly Registration[] = [route(listPeople, ({ ctx, user }) => people.listPeople(ctx, user))]
