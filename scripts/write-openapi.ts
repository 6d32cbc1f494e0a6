import { writeDocument } from './openapi.ts'

writeDocument()
