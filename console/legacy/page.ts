/** What a view of before the components gets. */
export type Page = { place: HTMLElement; actions: HTMLElement; query: URLSearchParams }
