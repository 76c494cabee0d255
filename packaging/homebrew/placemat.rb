# For the tap placemat/homebrew-tap. `packaging/update` writes the version and the sums.
class Placemat < Formula
  desc "Check, convert, repair, detect and explain text bytes"
  homepage "https://github.com/placemat/placemat"
  version "0.1.0"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/placemat/placemat/releases/download/v0.1.0/placemat-0.1.0-aarch64-apple-darwin.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/placemat/placemat/releases/download/v0.1.0/placemat-0.1.0-x86_64-apple-darwin.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/placemat/placemat/releases/download/v0.1.0/placemat-0.1.0-aarch64-unknown-linux-musl.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_intel do
      url "https://github.com/placemat/placemat/releases/download/v0.1.0/placemat-0.1.0-x86_64-unknown-linux-musl.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "placemat"
    # The command prints its completions and manual itself.
    generate_completions_from_executable(bin/"placemat", "completions")
    man1.mkpath
    system bin/"placemat", "man", "--dir", man1
  end

  test do
    (testpath/"broken.txt").binwrite("caf\xE9")
    output = shell_output("#{bin}/placemat check broken.txt 2>&1", 1)
    assert_match "windows-1252", output
  end
end
