// Vitest runs this file before each test file. A module that it imports runs once in each worker.
import "./equal-bytes.js";
