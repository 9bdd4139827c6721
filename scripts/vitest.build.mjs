/** End-to-end tests run what `npm start` would run. `npm test` has built it already and says so in the environment. */
import { prepare } from './prepare.mjs'

export const setup = () => (process.env.POSTIL_TEST_BUILT ? undefined : prepare())
