/** Tests of the whole product run what `npm start` would run; `npm test` has built it already and says so. */
import { prepare } from './prepare.mjs'

export const setup = () => (process.env.POSTIL_TEST_BUILT ? undefined : prepare())
