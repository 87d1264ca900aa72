import { describe, expect, it } from "vitest";
import { searchCondition, searchWords } from "#foundation/text/search-words.js";

describe("the words of a name", () => {
  it.each([
    ["Ana Kovač", "ana kovac"],
    ["ŁUKASZ Żółć", "lukasz zolc"],
    ["Jean-Noël Le Guennec", "guennec jean jeannoel le noel"],
    ["Sinéad O’Brien", "brien o obrien sinead"],
    ["Дар'я Мельник", "дар даря мельник я"],
    ["محمّد عليّ", "علي محمد"],
    ["Νίκος", "νικοσ"],
    ["Strauß", "strauss"],
    ["山田太郎", "太郎 山田太郎 田太郎 郎"],
    ["  ", ""],
    ["ana:k & 'b' | \\c", "ana b c k"],
  ])("of %j are %j", (name, words) => {
    expect(searchWords(name).split(" ").sort()).toEqual(words.split(" ").sort());
  });

  it("come from all texts, each once", () => {
    expect(searchWords("Ana Kovač", "ana_k", "KOVAC")).toBe("ana k kovac");
  });
});

describe("a condition", () => {
  it("matches the beginning of each word, ignoring case and accents", () => {
    expect(searchCondition("Kov ÁN")).toBe("kov:* & an:*");
  });

  it("has no operator of a search language, whatever is typed", () => {
    expect(searchCondition("a | !b <-> (c) 'd':*")).toBe("a:* & b:* & c:* & d:*");
  });

  it("doesn't exist without a word, and has ten words at most", () => {
    expect(searchCondition("…?!")).toBeUndefined();
    expect(searchCondition("a b c d e f g h i j k l")?.split(" & ")).toHaveLength(10);
  });
});
