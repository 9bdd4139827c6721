import { afterAll } from 'vitest'
import { clearAway } from './server.ts'

afterAll(clearAway)
