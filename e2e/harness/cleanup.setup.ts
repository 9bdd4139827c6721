import { afterAll } from 'vitest'
import { cleanUp } from './server.ts'

afterAll(cleanUp)
