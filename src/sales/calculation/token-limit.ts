/** The longest token of a calculation, in characters. 500 usual lines have less than a third of it. */
export const TOKEN_MAX = 65_536
