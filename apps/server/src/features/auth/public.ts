export { sessionOf, withSession } from './cookies.ts'
export { ensureOwner, type FirstOwner } from './first-start.ts'
export { resetFactor } from './second-factor/operations.ts'
export { createLinkFor, type NewSession, openSession, signOut, userOfSession } from './service.ts'
