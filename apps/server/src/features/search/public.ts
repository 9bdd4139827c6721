export { orderOf } from './order/user-order.ts'
export { findOwn, refuseUnknown, stateOf } from './queries.ts'
export { openRecords, type Placed, type QueueContext } from './queue/queue-walk.ts'
export { findAll, firstOf } from './service.ts'
