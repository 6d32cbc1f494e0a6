/** What an answer has beside its body: headers, and a note for our log line. */
export type Annotation = { headers?: Readonly<Record<string, string>>; note?: string | null | undefined }

const ANNOTATIONS = new WeakMap<object, Annotation>()

/** Adds headers or a note to an answer. Strict clients accept exactly one key in its body. */
export function annotated<Answered extends object>(answer: Answered, annotation: Annotation): Answered {
  ANNOTATIONS.set(answer, annotation)
  return answer
}

export function annotationOf(answer: object): Annotation {
  return ANNOTATIONS.get(answer) ?? {}
}
