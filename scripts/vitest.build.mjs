/**
 * End-to-end tests run the build that `npm start` would run. `npm test` has already built it, which an environment variable
 * indicates.
 */
import { prepare } from './prepare.mjs'

export const setup = () => (process.env.POSTIL_TEST_BUILT ? undefined : prepare())
