export { type AdoptedVersion, adoptVersions } from './adopt.ts'
