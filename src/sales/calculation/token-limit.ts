/** The longest token of a calculation, in characters. 500 lines with usual descriptions have a third of it. */
export const TOKEN_MAX = 65_536
